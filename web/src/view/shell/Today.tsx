// What was spent today, and how that stands to what the user allows himself. A budget warns; it stops nothing.

import { useOwn } from "../../store/own";
import { placeHref } from "../route";
import { dollars } from "../words";

export function Today({ spent }: { spent: number }) {
  const cap = useOwn().budgets.day;
  const level = cap === undefined ? "" : spent >= cap ? "is-danger" : spent >= cap * 0.8 ? "is-warn" : "";
  return (
    <a
      className="today num"
      href={placeHref({ page: "usage" })}
      title={cap !== undefined && spent >= cap ? "More than your budget for a day" : "Usage"}
    >
      Today <strong className={level}>{dollars(spent)}</strong>
      {cap === undefined ? null : ` of ${dollars(cap)}`}
    </a>
  );
}
