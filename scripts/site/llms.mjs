// llms.txt and llms-full.txt, for models that read about the package (https://llmstxt.org), and each page as Markdown.

/** Pages that only list what was measured or tested. */
const lists = ["performance", "changelog", "vectors/files", "quirks"];

const nameOf = ({ address }) => (address.endsWith("/") ? `${address}index` : address).slice(1);
const isList = (page) => lists.includes(nameOf(page));

/** File name → text, at the root of the site. */
export function llmsTexts({ home, groups }) {
  const sections = groups.map(({ title, pages }) => `## ${title}\n\n${pages.map(line).join("\n")}\n`);
  const head = `# toolwire\n\n> ${home.description}\n`;
  const all = [home, ...groups.flatMap(({ pages }) => pages)];
  const full = all
    .filter((page) => !isList(page))
    .map(({ address, text }) => `<!-- ${address} -->\n\n${text.trim()}\n`);
  return {
    "llms.txt": [head, ...sections].join("\n"),
    "llms-full.txt": full.join("\n"),
    ...Object.fromEntries(all.map((page) => [`${nameOf(page)}.md`, page.text])),
  };
}

const line = (page) => `- [${page.title}](/${nameOf(page)}.md): ${page.description}`;
