// The site's configuration. `scripts/site` writes the pages and their order; this file describes how they look.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { githubAnchor } from "../../../scripts/site/anchors.mjs";
import { indexed, searchOptions } from "../../../scripts/site/search.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const { nav, sidebar, base } = JSON.parse(readFileSync(at("../../../build/site-source/site.json"), "utf8"));

export default {
  title: "toolwire",
  description: "Converts LLM tool calling between OpenAI, Anthropic, Gemini, Vertex AI and Ollama",
  lang: "en",
  base,
  cleanUrls: true,
  srcDir: at("../../../build/site-source"),
  outDir: at("../../../build/site"),
  cacheDir: at("../../../build/site-cache"),
  head: [["link", { rel: "icon", href: `${base}icon.svg`, type: "image/svg+xml" }]],
  ignoreDeadLinks: "localhostLinks",
  metaChunk: true,
  // a reader of one page does not load those that it links to
  router: { prefetchLinks: false },
  themeConfig: {
    nav,
    sidebar,
    outline: { level: [2, 3], label: "On this page" },
    search: {
      provider: "local",
      options: {
        miniSearch: { searchOptions },
        _render: (text, env, markdown) => indexed(markdown.render(text, env), env.frontmatter ?? {}),
      },
    },
    externalLinkIcon: false,
  },
  markdown: {
    image: { lazyLoading: true },
    anchor: { slugify: githubAnchor },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config(markdown) {
      // `{{…}}` in code is not an expression
      const { code_inline: code } = markdown.renderer.rules;
      markdown.renderer.rules.code_inline = (tokens, index, ...more) => {
        tokens[index].attrSet("v-pre", "");
        return code(tokens, index, ...more);
      };
      // the corner of a table is not a heading
      const isEmpty = (tokens, index) => tokens[index + 1].content === "";
      markdown.renderer.rules.th_open = (tokens, index, options, _env, self) =>
        isEmpty(tokens, index) ? "<td>" : self.renderToken(tokens, index, options);
      markdown.renderer.rules.th_close = (tokens, index) => (tokens[index - 1].content === "" ? "</td>" : "</th>");
      // wide tables scroll by the keyboard, too
      markdown.renderer.rules.table_open = () => '<table tabindex="0">';
    },
  },
  vite: { build: { chunkSizeWarningLimit: 5000 } },
};
