//! Where in a block its reader is: the markers that are open, what may follow, and what was read.

/// The markers that were opened and not closed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    Nothing,
    /// A marker of a call, without a section around it.
    Call,
    /// A section. A closing marker was the last one in it.
    Section,
    /// A section. An opening marker was the last one: its own, or that of a call.
    SectionCall,
}

impl Within {
    pub fn is_section(self) -> bool {
        matches!(self, Self::Section | Self::SectionCall)
    }

    /// Whether an opening marker was the last one.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Call | Self::SectionCall)
    }

    /// After an opening marker.
    pub fn opened(self, opens_section: bool) -> Self {
        if opens_section || self.is_section() { Self::SectionCall } else { Self::Call }
    }

    /// After the closing marker of a call.
    pub fn closed(self) -> Self {
        if self.is_section() { Self::Section } else { Self::Nothing }
    }

    /// After the end of a section.
    pub fn without_section(self) -> Self {
        if self.is_open() { Self::Call } else { Self::Nothing }
    }
}

/// What may follow, beside markers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    Nothing,
    /// The body of a call.
    Body,
    /// The body of a call in an array.
    Element,
    /// A separator in an array, or its end.
    Separator,
}

impl Expected {
    pub fn is_body(self) -> bool {
        matches!(self, Self::Body | Self::Element)
    }

    pub fn in_list(self) -> bool {
        matches!(self, Self::Element | Self::Separator)
    }

    /// The same in an array, or outside of it.
    pub fn listed(self, in_list: bool) -> Self {
        Self::of(self.is_body(), in_list)
    }

    /// The same with the body of a call, or without.
    pub fn body(self, is_body: bool) -> Self {
        Self::of(is_body, self.in_list())
    }

    fn of(is_body: bool, in_list: bool) -> Self {
        match (is_body, in_list) {
            (false, false) => Self::Nothing,
            (true, false) => Self::Body,
            (true, true) => Self::Element,
            (false, true) => Self::Separator,
        }
    }
}

/// What a block has had so far.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// No call.
    Nothing,
    /// No call between an opening and a closing marker: a section may be empty.
    Empty,
    Calls,
}
