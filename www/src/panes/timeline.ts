// The rows of a played stream. Only those in sight are elements of the page.

import { h } from "../page/dom.ts";

/** Rows above and below those in sight. */
const spare = 2;

export class Timeline {
  readonly element: HTMLElement;
  readonly #rows = h("ol", { class: "steps" });
  readonly #rowOf: (index: number) => HTMLElement;
  /** The rows that are elements, by index. */
  readonly #built = new Map<number, HTMLElement>();
  #count = 0;
  #height = 72;
  #now = -1;

  constructor(heads: HTMLElement, rowOf: (index: number) => HTMLElement) {
    this.#rowOf = rowOf;
    this.element = h(
      "div",
      { class: "timeline", tabindex: 0, role: "region", "aria-label": "Events", onscroll: () => this.#draw() },
      heads,
      this.#rows,
    );
    new ResizeObserver(() => {
      this.#height = this.#readHeight();
      this.#draw();
    }).observe(this.element);
  }

  /** Forgets all rows, because others have the same numbers. */
  reset(): void {
    this.#built.clear();
    this.#rows.replaceChildren();
  }

  /** Shows the first rows, up to the current one. */
  show(count: number, { follow }: { follow: boolean }): void {
    this.#height = this.#readHeight();
    this.#count = count;
    this.#now = count - 1;
    this.#rows.style.height = `${count * this.#height}px`;
    if (follow) this.#keepInSight();
    this.#draw();
  }

  /** Fixed by the style sheet, in pixels. */
  #readHeight(): number {
    return Number.parseFloat(getComputedStyle(this.#rows).getPropertyValue("--step-height")) || 72;
  }

  #keepInSight(): void {
    const [list, height] = [this.element, this.#height];
    const top = this.#rows.offsetTop + this.#now * height;
    if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight + 24;
    // not at the top, so that the preceding events stay visible
    else if (top < list.scrollTop + 48) list.scrollTop = top - list.clientHeight / 3;
  }

  #draw(): void {
    const height = this.#height;
    const top = Math.max(0, this.element.scrollTop - this.#rows.offsetTop);
    const first = Math.max(0, Math.floor(top / height) - spare);
    const last = Math.min(this.#count, Math.ceil((top + this.element.clientHeight) / height) + spare);
    for (const [index, row] of this.#built) {
      if (index >= first && index < last) continue;
      row.remove();
      this.#built.delete(index);
    }
    for (let index = first; index < last; index++) {
      const row = this.#built.get(index) ?? this.#build(index, height);
      row.toggleAttribute("data-now", index === this.#now);
    }
  }

  #build(index: number, height: number): HTMLElement {
    const row = this.#rowOf(index);
    row.dataset.index = String(index);
    row.style.top = `${index * height}px`;
    this.#built.set(index, row);
    const next = [...this.#rows.children].find((other) => Number((other as HTMLElement).dataset.index) > index);
    this.#rows.insertBefore(row, next ?? null);
    return row;
  }
}
