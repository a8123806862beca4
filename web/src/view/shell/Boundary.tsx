// What fails inside of it does not take the rest of the page along.

import { Component, type ReactNode } from "react";

export class Boundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <main className="main">
        <div className="first">
          <div className="first-in" role="alert">
            <h1>This part of the page failed</h1>
            <p className="lead">
              The session itself goes on. Draw it again; if that does not help, load the page again.
            </p>
            <pre className="argv">{error.message}</pre>
            <div className="row">
              <button type="button" className="btn primary" onClick={() => this.setState({ error: undefined })}>
                Draw it again
              </button>
              <button type="button" className="btn" onClick={() => location.reload()}>
                Load the page again
              </button>
            </div>
          </div>
        </div>
      </main>
    );
  }
}
