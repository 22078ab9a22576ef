// llama.cpp's own grammar matcher, without a model. Reads `G SIZE\n` and a grammar, or `T SIZE\n` and a text, from standard input;
// writes a line for each: `yes` if the grammar or the text is accepted, `no` if not.

#include "llama-grammar.h"
#include "llama-vocab.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

// what llama-grammar.cpp refers to, and never calls without a vocabulary
int32_t llama_vocab::tokenize(const char *, int32_t, llama_token *, int32_t, bool, bool) const { abort(); }
const std::string & llama_vocab::token_to_piece(llama_token) const { abort(); }
bool llama_vocab::is_eog(llama_token) const { abort(); }
void llama_log_internal(ggml_log_level, const char * format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}
extern "C" void ggml_abort(const char * file, int line, const char * format, ...) {
    fprintf(stderr, "%s:%d: %s\n", file, line, format);
    abort();
}

static bool accepts(const llama_grammar & grammar, const std::string & text) {
    llama_grammar * clone = llama_grammar_clone_impl(grammar);
    bool accepted = true;
    try {
        llama_grammar_accept_str(*clone, text);
    } catch (const std::exception &) {
        accepted = false;
    }
    if (accepted) {
        accepted = clone->partial_utf8.n_remain == 0;
        bool complete = false;
        for (const auto & stack : clone->stacks) complete |= stack.empty();
        accepted &= complete;
    }
    llama_grammar_free_impl(clone);
    return accepted;
}

int main() {
    llama_grammar * grammar = nullptr;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::string body(std::stoul(line.substr(2)), '\0');
        std::cin.read(body.data(), body.size());
        if (line[0] == 'G') {
            if (grammar) llama_grammar_free_impl(grammar);
            grammar = llama_grammar_init_impl(nullptr, body.c_str(), "root", false, nullptr, 0, nullptr, 0);
            std::cout << (grammar ? "yes" : "no") << std::endl;
        } else {
            std::cout << (grammar && accepts(*grammar, body) ? "yes" : "no") << std::endl;
        }
    }
}
