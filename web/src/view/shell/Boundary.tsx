// What fails inside of it does not take the rest of the page along. Give it another `key` to draw something else after a failure.

import { Component, type ReactNode } from "react";

/** `draw` shows the error, with the ways out: into the room that what failed would have had. */
type Props = {
  children: ReactNode;
  draw: (error: Error, waysOut: ReactNode) => ReactNode;
  /** What it is about: when that is something else, it is drawn again by itself. */
  of?: readonly unknown[];
};

export class Boundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override componentDidUpdate({ of: before = [] }: Props): void {
    const { of: now = [] } = this.props;
    const isOther = now.some((part, at) => part !== before[at]);
    if (isOther && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return this.props.draw(
      error,
      <div className="row">
        <button type="button" className="btn primary" onClick={() => this.setState({ error: undefined })}>
          Draw it again
        </button>
        <button type="button" className="btn" onClick={() => location.reload()}>
          Load the page again
        </button>
      </div>,
    );
  }
}

/** In the place of a page. */
export const failedPage = (error: Error, waysOut: ReactNode): ReactNode => (
  <main className="main">
    <div className="first">
      <div className="first-in" role="alert">
        <h1>This part of the page failed</h1>
        <p className="lead">The session itself goes on. Draw it again; if that does not help, load the page again.</p>
        <pre className="argv">{error.message}</pre>
        {waysOut}
      </div>
    </div>
  </main>
);

/** In a column beside it. */
export const failedPane = (error: Error, waysOut: ReactNode): ReactNode => (
  <div className="pane" role="alert">
    <div className="pane-empty">
      <p>This part of the page failed. The session itself goes on.</p>
      <p className="hint">{error.message}</p>
      {waysOut}
    </div>
  </div>
);
