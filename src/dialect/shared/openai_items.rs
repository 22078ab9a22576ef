//! What OpenAI's two formats have to know of the same things.

use crate::value::Word;

/// Items of Responses whose content is OpenAI's own business (WIRE §2.3): Chat has none of them.
pub const HOSTED_ITEMS: &[Word] = &[
    Word::file_search_call,
    Word::web_search_call,
    Word::computer_call,
    Word::computer_call_output,
    Word::code_interpreter_call,
    Word::image_generation_call,
    Word::local_shell_call,
    Word::local_shell_call_output,
    Word::shell_call,
    Word::shell_call_output,
    Word::apply_patch_call,
    Word::apply_patch_call_output,
    Word::mcp_list_tools,
    Word::mcp_call,
    Word::mcp_approval_request,
    Word::mcp_approval_response,
    Word::program,
    Word::program_output,
    Word::tool_search_call,
    Word::tool_search_output,
    Word::additional_tools,
    Word::configuration_update,
    Word::compaction,
    Word::compaction_trigger,
    Word::item_reference,
    Word::agent_message,
    Word::multi_agent_call,
    Word::multi_agent_call_output,
];
