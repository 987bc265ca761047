import type { Page } from 'playwright-core';

/** The focus, as a person sees it. */
interface Focus {
  /** The name of the control, or its tag if it has none. */
  readonly label: string;
  /** The control has an outline, is in the window, and nothing covers it. */
  readonly isSeen: boolean;
  /** The element in the middle of the control. */
  readonly cover?: string;
}

const FOCUS = `(() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return { label: 'nothing', isSeen: false };
  if (one.tagName === 'MAIN') return { label: 'main', isSeen: true };
  const name = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent;
  const { left, top, right, bottom } = one.getClientRects()[0] ?? one.getBoundingClientRect();
  const middle = (start, end, most) => (Math.max(0, start) + Math.min(most, end)) / 2;
  const hit = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight));
  const isSeen = getComputedStyle(one).outlineStyle !== 'none' && one.contains(hit);
  const cover = hit === null ? 'the edge of the window' : hit.outerHTML.slice(0, 120);
  return { label: name.trim() || one.tagName, isSeen, cover };
})()`;

/** A person at the page who has a keyboard and no mouse. Each step fails if the focus cannot be seen. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  /** The name of the control that has the focus. */
  async focus(): Promise<string> {
    const { label, isSeen, cover } = await this.page.evaluate<Focus>(FOCUS);
    if (!isSeen && label !== 'nothing') throw new Error(`The focus on ${label} is behind ${cover}`);
    return label;
  }

  /** Presses Tab, or the other key, until the control of that name has the focus. */
  async to(name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const passed: string[] = [];
    while (passed.length < 300) {
      await this.press(key);
      const label = await this.focus();
      if (label === name) return;
      passed.push(label);
    }
    throw new Error(`${key} does not reach ${name}. It reaches ${[...new Set(passed)].join(', ')}`);
  }

  /** Goes to the control of that name, and presses Enter there. */
  async use(name: string): Promise<void> {
    await this.to(name);
    await this.press('Enter');
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  /** Goes to the field of that name, and puts a text in place of its content. */
  async fill(name: string, text: string): Promise<void> {
    await this.to(name);
    await this.press('ControlOrMeta+A');
    await this.press('Delete');
    await this.page.keyboard.insertText(text);
  }
}
