// The fragment of the page's address.

/** The one that the page has read or written; another one is the user's, and about to be read. */
let known = "";

export const isUnknown = () => location.hash !== known;

/** The address has been read. */
export function noteAddress(): void {
  known = location.hash;
}

export function setAddress(fragment: string): void {
  history.replaceState(null, "", fragment);
  noteAddress();
}

/** Undoes what a link within the page has done to the address. */
export function restoreAddress(): void {
  setAddress(known || location.pathname);
}
