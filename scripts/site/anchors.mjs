/** The anchor of a heading, as GitHub makes it: links lead to the same place there and on the site. */
export const githubAnchor = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
