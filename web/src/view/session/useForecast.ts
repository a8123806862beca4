// How many turns of the session in front fit before its context is compacted.

import { useItems, usePart, useSession } from "../../store/use";
import { lastAnswer } from "../inspector/context/useContextAnswer";
import { compactsAt, type Forecast, forecast, stepsOf } from "./forecast";

export function useForecast(): (Forecast & { isByItself: boolean }) | undefined {
  const { id } = useSession();
  const { context } = usePart("meters");
  const steps = useItems(stepsOf);
  const answer = lastAnswer(id);
  // One that does not compact by itself goes on until it is full.
  const isByItself = answer?.isAutoCompactEnabled !== false;
  const limit = isByItself ? compactsAt(context, answer?.autoCompactThreshold) : context.window;
  const ahead = forecast(steps, context.used, limit);
  return ahead && { ...ahead, isByItself };
}
