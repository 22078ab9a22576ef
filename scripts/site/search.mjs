/** How the search ranks: titles before texts. The tests search with the same options. */
export const searchOptions = { fuzzy: 0.2, prefix: true, boost: { title: 6, titles: 2, text: 1 } };

/** What is indexed of a rendered page: all, the part before its first section, or nothing. */
export function indexed(html, { search }) {
  if (search === false) return "";
  return search === "intro" ? html.split("<h2")[0] : html;
}
