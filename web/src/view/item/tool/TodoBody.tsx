// Things to do, as the call left them.

import type { TodoTask } from "../../../generated";
import { Icon } from "../../Icon";
import type { BodyProps } from "../ToolBody";

export function TodoBody({ view, tool }: BodyProps<"todo">) {
  // What was meant and did not happen is no state of a task.
  if (tool?.status === "failed") return null;
  return (
    <ul className="todos">
      {view.todos.map((todo) => (
        <li key={todo.id} className={todo.status === "completed" ? "muted" : ""}>
          <Glyph todo={todo} />
          <span>{todo.status === "in_progress" ? (todo.activeForm ?? todo.subject) : todo.subject}</span>
        </li>
      ))}
    </ul>
  );
}

function Glyph({ todo }: { todo: TodoTask }) {
  switch (todo.status) {
    case "completed":
      return <Icon name="okring" className="is-done" label="done" />;
    case "in_progress":
      return <Icon name="arc" className="is-running" label="being done" />;
    default:
      return todo.blockedBy.length > 0 ? <Icon name="blocked" label="blocked" /> : <Icon name="circle" label="to do" />;
  }
}
