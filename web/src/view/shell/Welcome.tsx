// What stands where no session is looked at.

export function Welcome({ isNew }: { isNew: boolean }) {
  return (
    <main className="main">
      <p className="empty">{isNew ? "A new session" : "Choose a session."}</p>
    </main>
  );
}
