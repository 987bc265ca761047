declare module 'wink-bm25-text-search' {
  interface Engine {
    defineConfig(config: { readonly fldWeights: Readonly<Record<string, number>> }): void;
    definePrepTasks(tasks: readonly ((text: string) => readonly string[])[]): void;
    addDoc(document: Readonly<Record<string, string>>, id: string): void;
    consolidate(): void;
    search(query: string, limit: number): readonly (readonly [id: string, score: number])[];
  }
  export default function bm25(): Engine;
}
