//! The agent loop as a state machine.
//!
//! The machine performs no I/O. It returns the next [`Step`]. The host performs the step and reports the outcome with the
//! current time. The machine does not hold the conversation, so its work per turn is independent of the length of the history.
//!
//! ```
//! use toolwire::toolkit::agent::{Agent, Bounds, Reason, Response, Step};
//!
//! let mut agent = Agent::new("run-1", Bounds::default());
//! assert!(matches!(agent.next(0.0), Step::Send(send) if send.iteration == 1));
//! agent.responded(Response { finish_reason: "stop".into(), ..Response::default() }, 250.0);
//! assert_eq!(agent.next(250.0), Step::Done { reason: Reason::Answer });
//! ```

mod bounds;
mod calls;
mod digest;
mod machine;
mod state;
mod step;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;

pub use bounds::{AtLimit, Bounds, Usage};
pub use calls::{CallEnd, CallStatus, PendingCall};
pub use machine::{Agent, Response};
pub use state::{Phase, State};
pub use step::{Choice, Reason, Send, Step};
