import { Component, type ComponentChildren } from 'preact';

interface Props {
  /** The readable name of the view. */
  readonly title: string;
  readonly children: ComponentChildren;
}

/** Shows the reason why a view could not be drawn. The rest of the page continues to work. */
export class Boundary extends Component<Props, { readonly problem?: string | undefined }> {
  static override getDerivedStateFromError(error: unknown): { readonly problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return (
      <div role="alert" class="box bad">
        <p>This view could not be shown: {problem}</p>
        <p>
          The other views go on: <a href="#/servers">Servers</a>, <a href="#/calls">Calls</a>,{' '}
          <a href="#/health">Health</a>.{' '}
          <button type="button" onClick={() => this.setState({ problem: undefined })}>
            Show {this.props.title} again
          </button>
        </p>
      </div>
    );
  }
}
