//! How much a model reasons. Formats express it by an effort, a budget of tokens, or both, and models differ in what they accept. Each target states
//! what it accepts for an unknown model ([`AcceptedReasoning`]), and the facts about the model limit that.

use super::models::{because, fit_reasoning as fit_refused};
use super::settings::drop;
use crate::format::Format;
use crate::model::{ReasoningSettings, Setting, Settings};
use crate::models::facts::{Efforts, Off, Thinking as Asked};
use crate::models::words::Words;
use crate::models::{Effort, ModelFacts};
use crate::number::javascript;
use crate::run::{At, Run, WarningCode};
use crate::servers::ServerFacts;
use crate::servers::facts::Asked as Asks;
use crate::value::{Value, Word};

/// Every effort.
pub const ALL_EFFORTS: Efforts =
    Efforts::of(&[Effort::Minimal, Effort::Low, Effort::Medium, Effort::High, Effort::Xhigh, Effort::Max]);

/// The words of efforts, in ascending order.
const WORDS: [Word; 7] = [Word::none, Word::minimal, Word::low, Word::medium, Word::high, Word::xhigh, Word::max];

/// What a model accepts.
#[derive(Clone, Copy)]
pub struct AcceptedReasoning {
    /// None: efforts are rejected.
    pub efforts: Option<Efforts>,
    /// The minimum and maximum budget in tokens. None: budgets are rejected.
    pub budgets: Option<(f64, f64)>,
    /// Whether reasoning can be turned off.
    pub off: bool,
    /// Whether the model can decide by itself, which other formats express by a budget below 0.
    pub adaptive: bool,
    /// Whether an effort and a budget can be combined.
    pub both: bool,
    /// Whether the provider itself maps efforts to the budgets in [`BUDGETS`].
    pub maps_efforts: bool,
    /// Whether a budget must be less than the request's token limit.
    pub within_limit: bool,
}

impl AcceptedReasoning {
    /// A model that does not reason, or a target without reasoning settings.
    pub const NOTHING: AcceptedReasoning = AcceptedReasoning {
        efforts: None,
        budgets: None,
        off: false,
        adaptive: false,
        both: false,
        maps_efforts: false,
        within_limit: false,
    };

    /// What is left of it for a model of which facts are known.
    pub fn limited_by(self, facts: &ModelFacts) -> AcceptedReasoning {
        if facts.efforts.is_some_and(|efforts| efforts.is_empty()) {
            return AcceptedReasoning::NOTHING;
        }
        let has_efforts = !matches!(facts.thinking, Some(Asked::Budget | Asked::None));
        let range = facts.budget.map(|(least, most)| (f64::from(least), f64::from(most)));
        AcceptedReasoning {
            efforts: self.efforts.and(facts.efforts.or(self.efforts.filter(|_| has_efforts))),
            budgets: self.budgets.and(match facts.thinking {
                None | Some(Asked::Budget | Asked::AdaptiveOrBudget) => range.or(self.budgets),
                Some(Asked::Level) => range,
                Some(Asked::Effort | Asked::Adaptive | Asked::None) => None,
            }),
            off: self.off && facts.off != Some(Off::No),
            ..self
        }
    }

    /// What is left of it in a format that may lack some of the keys for it.
    pub fn within(&self, format: &Format) -> AcceptedReasoning {
        let (efforts, budgets) = (format.has(Setting::Effort), format.has(Setting::BudgetTokens));
        let states_budgets = format.settings.iter().any(|(setting, _, _)| *setting == Setting::BudgetTokens);
        let has_switch = if states_budgets { budgets } else { efforts };
        AcceptedReasoning {
            efforts: self.efforts.filter(|_| efforts).map(|efforts| up_to(efforts, format.limits.highest_effort)),
            budgets: self.budgets.filter(|_| budgets),
            off: self.off && has_switch,
            adaptive: self.adaptive && has_switch,
            ..*self
        }
    }
}

/// The efforts that are not higher than another one.
fn up_to(efforts: Efforts, highest: Word) -> Efforts {
    let place = WORDS.iter().position(|word| *word == highest).unwrap_or(WORDS.len());
    efforts
        .words()
        .filter(|effort| *effort as usize <= place)
        .fold(Efforts::NONE, |all, effort| all.and(Efforts::of(&[effort])))
}

/// The budget that lets the model decide.
pub const ADAPTIVE: f64 = -1.0;

/// The budgets of efforts, as Google's endpoint for OpenAI clients maps them (<https://ai.google.dev/gemini-api/docs/openai>).
const BUDGETS: &[(Word, f64)] = &[(Word::minimal, 1024.0), (Word::low, 1024.0), (Word::medium, 8192.0), MOST];
const MOST: (Word, f64) = (Word::high, 24576.0);

/// Reasoning that is not expressed by an effort.
#[derive(Clone, Copy, PartialEq)]
pub enum Thinking {
    Off,
    /// The model decides.
    Adaptive,
    Budget(Value),
}

impl Thinking {
    /// What settings ask for: an effort of "none" or a budget of 0 turns reasoning off, a budget below 0 lets the model decide.
    pub fn of(run: &Run, settings: &ReasoningSettings) -> Option<Thinking> {
        match (settings.effort, settings.budget) {
            (Some((Word::none, _)), _) => Some(Thinking::Off),
            (_, Some((budget, _))) => {
                let tokens = run.store.number(budget);
                Some(match tokens {
                    _ if tokens == 0.0 => Thinking::Off,
                    _ if tokens < 0.0 => Thinking::Adaptive,
                    _ => Thinking::Budget(budget),
                })
            }
            (_, None) => None,
        }
    }
}

/// The effort that settings ask for, unless reasoning is off.
pub fn effort_of(settings: &ReasoningSettings) -> Option<Word> {
    settings.effort.map(|(effort, _)| effort).filter(|effort| *effort != Word::none)
}

/// What is written, and the position of the setting that it follows from.
#[derive(Clone, Copy, Default)]
struct Fitted {
    effort: Option<(Word, At)>,
    thinking: Option<(Thinking, At)>,
}

impl Fitted {
    fn effort(effort: (Word, At)) -> Fitted {
        Fitted { effort: Some(effort), thinking: None }
    }

    fn thinking(thinking: Thinking, at: At) -> Fitted {
        Fitted { effort: None, thinking: Some((thinking, at)) }
    }
}

/// Makes `settings.reasoning` what the model accepts: an effort, a budget (0: off; below 0: as the model decides), or both.
pub fn fit(run: &mut Run, settings: &mut Settings, takes: &AcceptedReasoning) {
    if settings.reasoning.is_none() {
        return;
    }
    let format = run.route.to.format();
    if !format.has(Setting::Reasoning) {
        return drop(run, settings, Setting::Reasoning);
    }
    fit_within(run, settings, &takes.within(format), format.has(Setting::IncludeReasoning));
}

/// As [`fit`], for what the format or the server takes, which may have a setting for whether the reasoning is returned.
fn fit_within(run: &mut Run, settings: &mut Settings, takes: &AcceptedReasoning, has_include: bool) {
    let Fitted { effort, thinking } = fitted(run, settings, takes);
    let Some(reasoning) = &mut settings.reasoning else { return };
    let given = reasoning.budget.filter(|(budget, _)| run.store.number(*budget) < 0.0);
    let number = |run: &mut Run, number: f64| run.build(|run| run.store.put_number(number));
    let budget = thinking.map(|(thinking, at)| match thinking {
        Thinking::Off => (number(run, 0.0), at),
        Thinking::Adaptive => given.unwrap_or_else(|| (number(run, ADAPTIVE), at)),
        Thinking::Budget(budget) => (budget, at),
    });
    (reasoning.effort, reasoning.budget) = (effort, budget);
    if !has_include && let Some((_, at)) = reasoning.include.take() {
        run.warn(WarningCode::StateDropped, at, "the target has no setting for whether it returns the reasoning");
    }
}

/// The same for both of OpenAI's formats, whose models are the same. Requests between the two are not changed.
pub fn fit_openai(run: &mut Run, settings: &mut Settings) {
    const ANY: AcceptedReasoning =
        AcceptedReasoning { efforts: Some(ALL_EFFORTS), off: true, ..AcceptedReasoning::NOTHING };
    if run.route.has_target_facts() {
        let facts = run.route.target_facts();
        let takes = of_server(&facts).limited_by(&settings.facts);
        let has_include = run.route.to.format().has(Setting::IncludeReasoning) || facts.reasoning == Some(Asks::Object);
        fit_within(run, settings, &takes, has_include);
        return fit_refused(run, settings, f64::INFINITY);
    }
    if run.route.stays_with_provider() {
        return fit(run, settings, &ANY);
    }
    fit(run, settings, &ANY.limited_by(&settings.facts));
    fit_refused(run, settings, f64::INFINITY);
}

/// What a server takes of any model.
fn of_server(facts: &ServerFacts) -> AcceptedReasoning {
    let how = facts.reasoning.unwrap_or(Asks::Effort);
    if how == Asks::Never {
        return AcceptedReasoning::NOTHING;
    }
    let has_budgets = matches!(how, Asks::Object | Asks::Switch);
    let efforts = facts.efforts.unwrap_or(ALL_EFFORTS);
    AcceptedReasoning {
        efforts: Some(efforts).filter(|efforts| !efforts.is_empty()),
        budgets: has_budgets.then_some((1.0, f64::INFINITY)),
        off: true,
        adaptive: how != Asks::Effort,
        ..AcceptedReasoning::NOTHING
    }
}

/// An effort of "none" or a budget of 0 turns reasoning off, regardless of the other one.
fn fitted(run: &mut Run, settings: &Settings, takes: &AcceptedReasoning) -> Fitted {
    let Some(ReasoningSettings { effort, budget, include: _ }) = settings.reasoning else { return Fitted::default() };
    let limit = settings.get(Setting::MaxTokens).filter(|_| takes.within_limit);
    let limit = limit.map_or(f64::INFINITY, |(limit, _)| run.store.number(limit));
    let mut fitting = Fitting { run, takes, limit, settings };
    let tokens = budget.map(|(budget, _)| fitting.run.store.number(budget));
    match (effort, budget) {
        (Some((Word::none, at)), budget) => {
            if let Some((_, at)) = budget.filter(|_| tokens != Some(0.0)) {
                fitting.drop(at, "an effort of \"none\" turns reasoning off: the budget has no effect");
            }
            fitting.off(at)
        }
        (effort, Some((_, at))) if tokens == Some(0.0) => fitting.off_beside(effort, at),
        (Some(effort), Some(budget)) => fitting.both(effort, budget),
        (Some(effort), None) => fitting.effort(effort),
        (None, Some(budget)) => fitting.budget(budget),
        (None, None) => Fitted::default(),
    }
}

/// Whether these settings would be written as a budget.
pub fn needs_budget(run: &Run, reasoning: &ReasoningSettings, takes: &AcceptedReasoning) -> bool {
    let ReasoningSettings { effort, budget, include: _ } = reasoning;
    let takes_budget = takes.budgets.is_some();
    match (effort, budget.map(|(budget, _)| run.store.number(budget))) {
        (Some((Word::none, _)), _) | (None, None) => false,
        (_, Some(tokens)) if tokens > 0.0 => takes_budget,
        (Some(_), None) => takes_budget && takes.efforts.is_none(),
        (Some(_), Some(tokens)) => tokens < 0.0 && takes_budget && takes.efforts.is_none(),
        (None, Some(_)) => false,
    }
}

/// An effort by its word.
pub fn known_effort(word: Word) -> Option<Effort> {
    WORDS.iter().position(|known| *known == word).and_then(|place| Effort::ALL.get(place)).copied()
}

/// The accepted effort that is nearest to another one.
fn written_for(effort: Word, efforts: Efforts) -> Word {
    let nearest = known_effort(effort).and_then(|known| efforts.nearest(known));
    nearest.and_then(|nearest| WORDS.get(nearest as usize)).copied().unwrap_or(effort)
}

struct Fitting<'r, 's> {
    run: &'r mut Run<'s>,
    takes: &'r AcceptedReasoning,
    /// A budget must be less than this.
    limit: f64,
    settings: &'r Settings,
}

impl Fitting<'_, '_> {
    fn drop(&mut self, at: At, why: &str) {
        self.run.warn(WarningCode::SettingDropped, at, why);
    }

    /// Drops what follows from a fact about the model, or from the target if it is not known.
    fn refuse(&mut self, at: At, fact: &str, why: &str) {
        let because = self.because(fact);
        self.drop(at, &[why, &because].concat());
    }

    fn change(&mut self, at: At, fact: &str, what: &str) {
        let because = self.because(fact);
        self.run.warn(WarningCode::SettingChanged, at, &[what, &because].concat());
    }

    fn because(&self, fact: &str) -> String {
        let is_known = self.settings.facts != ModelFacts::NONE;
        if is_known { because(self.run, self.settings, fact) } else { String::new() }
    }

    /// No reasoning. A model that can't turn it off gets the lowest setting.
    fn off(&mut self, at: At) -> Fitted {
        if self.takes.off {
            return Fitted::thinking(Thinking::Off, at);
        }
        let (sent, fitted) = match (self.takes.efforts, self.takes.budgets) {
            (Some(efforts), _) => {
                let least = written_for(Word::none, efforts);
                (format!("the effort \"{}\" is sent", least.text()), Fitted::effort((least, at)))
            }
            (None, Some((least, _))) => {
                (format!("a budget of {} tokens is sent", javascript(least)), self.tokens(least, at))
            }
            (None, None) => {
                if !matches!(self.settings.facts.thinking, None | Some(Asked::None)) {
                    self.drop(at, "the target has no setting that turns the model's reasoning off");
                }
                return Fitted::default();
            }
        };
        self.change(at, "off", &format!("the model can't turn reasoning off: {sent}"));
        fitted
    }

    /// No reasoning, but an effort: some providers apply it to the whole response.
    fn off_beside(&mut self, effort: Option<(Word, At)>, at: At) -> Fitted {
        let Some(effort) = effort else { return self.off(at) };
        if !self.takes.both || self.takes.efforts.is_none() {
            self.drop(effort.1, "reasoning is turned off: the effort has no effect");
            return self.off(at);
        }
        let thinking = self.takes.off.then_some((Thinking::Off, at));
        if thinking.is_none() {
            self.refuse(at, "off", "the model can't turn reasoning off");
            return self.effort(effort);
        }
        Fitted { thinking, ..self.effort_beside_off(effort) }
    }

    /// An effort at which the model accepts that its reasoning is turned off.
    fn effort_beside_off(&mut self, (effort, at): (Word, At)) -> Fitted {
        let place = |effort: Word| WORDS.iter().position(|word| *word == effort);
        let most = self.settings.facts.off_up_to.and_then(|most| WORDS.get(most as usize));
        match most.filter(|most| place(effort) > place(**most)) {
            Some(most) => {
                let what = format!("reasoning is off only up to the effort \"{}\", which is sent", most.text());
                self.change(at, "offUpTo", &what);
                Fitted::effort((*most, at))
            }
            None => self.effort((effort, at)),
        }
    }

    fn both(&mut self, effort: (Word, At), budget: (Value, At)) -> Fitted {
        if self.takes.both && self.takes.efforts.is_some() {
            let thinking = self.budget(budget).thinking;
            return Fitted { thinking, ..self.effort(effort) };
        }
        // with an effort, the model decides within that effort anyway
        let is_adaptive = self.run.store.number(budget.0) < 0.0;
        if is_adaptive || self.takes.efforts.is_some() || self.takes.budgets.is_none() {
            if !is_adaptive {
                self.drop(budget.1, "the target does not accept both an effort and a budget");
            }
            return self.effort(effort);
        }
        self.drop(effort.1, "the target does not accept both an effort and a budget");
        self.budget(budget)
    }

    fn effort(&mut self, (effort, at): (Word, At)) -> Fitted {
        if let Some(efforts) = self.takes.efforts {
            let written = written_for(effort, efforts);
            if written != effort {
                self.change(at, "efforts", &format!("the effort \"{}\" is sent instead", written.text()));
            }
            return Fitted::effort((written, at));
        }
        let Some((least, most)) = self.takes.budgets else {
            if self.takes.adaptive && self.run.route.has_target_facts() {
                self.change(at, "efforts", "reasoning is turned on, without an effort");
                return Fitted::thinking(Thinking::Adaptive, at);
            }
            self.refuse(at, "efforts", "the model does not accept an effort");
            return Fitted::default();
        };
        self.budget_for((effort, at), (least, most))
    }

    /// The budget that stands for an effort.
    fn budget_for(&mut self, (effort, at): (Word, At), (least, most): (f64, f64)) -> Fitted {
        let known = BUDGETS.iter().find(|(known, _)| *known == effort);
        let (_, budget) = known.unwrap_or(&MOST);
        // half of the limit is left for the response itself
        let tokens = budget.min(most).min((self.limit / 2.0).floor());
        if tokens < least {
            self.drop(at, "max_tokens is too low for a reasoning budget");
            return Fitted::default();
        }
        if !self.takes.maps_efforts || known.is_none() || tokens != *budget {
            self.change(at, "thinking", &format!("a budget of {} tokens is sent instead", javascript(tokens)));
        }
        self.tokens(tokens, at)
    }

    fn budget(&mut self, (budget, at): (Value, At)) -> Fitted {
        let given = self.run.store.number(budget);
        if given < 0.0 {
            return self.adaptive(at);
        }
        if given == 0.0 {
            return if self.takes.off { Fitted::thinking(Thinking::Off, at) } else { Fitted::default() };
        }
        let Some((least, most)) = self.takes.budgets else { return self.without_budget(given, at) };
        let most = most.min(self.limit - 1.0);
        if most < least {
            self.drop(at, "max_tokens is too low for a reasoning budget");
            return Fitted::default();
        }
        let fitting = if self.takes.within_limit { given.floor() } else { given };
        // not `clamp`, which would add 20 kB
        let fitting = fitting.min(most).max(least);
        if fitting == given {
            return Fitted::thinking(Thinking::Budget(budget), at);
        }
        self.change(at, "budget", &format!("a budget of {} tokens is sent", javascript(fitting)));
        self.tokens(fitting, at)
    }

    /// Reasoning, as much as the model decides. A model that only reasons when it is asked to gets a medium effort.
    fn adaptive(&mut self, at: At) -> Fitted {
        if self.takes.adaptive {
            return Fitted::thinking(Thinking::Adaptive, at);
        }
        let facts = self.settings.facts;
        let is_known = facts != ModelFacts::NONE;
        let reasons_unasked = facts.default_effort.is_some_and(|effort| effort != Effort::None);
        let never_reasons = self.takes.efforts.is_none() && self.takes.budgets.is_none();
        if !is_known || reasons_unasked || never_reasons {
            let why = "the model decides how much it reasons, as it does without a setting";
            self.run.warn(WarningCode::StateDropped, at, why);
            return Fitted::default();
        }
        if let Some(range) = self.takes.budgets {
            return self.budget_for((Word::medium, at), range);
        }
        let medium = written_for(Word::medium, self.takes.efforts.unwrap_or(Efforts::NONE));
        let what = format!("the model does not decide how much it reasons: the effort \"{}\" is sent", medium.text());
        self.change(at, "defaultEffort", &what);
        Fitted::effort((medium, at))
    }

    /// A budget for a model that does not accept budgets.
    fn without_budget(&mut self, given: f64, at: At) -> Fitted {
        if self.takes.adaptive && !(self.takes.efforts.is_some() && self.run.route.has_target_facts()) {
            self.change(at, "thinking", "the model does not accept a budget: it chooses how much to reason");
            return Fitted::thinking(Thinking::Adaptive, at);
        }
        let Some(efforts) = self.takes.efforts else {
            self.refuse(at, "thinking", "the model does not accept a budget");
            return Fitted::default();
        };
        let far = |budget: f64| (budget - given).abs();
        let rest = BUDGETS.iter().filter(|(effort, _)| *effort != Word::minimal);
        let nearest = rest.min_by(|(_, left), (_, right)| far(*left).total_cmp(&far(*right)));
        let (nearest, _) = nearest.unwrap_or(&MOST);
        let written = written_for(*nearest, efforts);
        self.change(at, "thinking", &format!("the effort \"{}\" is sent instead of a budget", written.text()));
        Fitted::effort((written, at))
    }

    fn tokens(&mut self, tokens: f64, at: At) -> Fitted {
        let value = self.run.build(|run| run.store.put_number(tokens));
        Fitted::thinking(Thinking::Budget(value), at)
    }
}
