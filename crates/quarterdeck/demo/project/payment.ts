export const methods = ["card"] as const;

export async function pay(order: Order, method: Method): Promise<Receipt> {
  // TODO: what happens to the order when this fails?
  return provider.charge(order.total, method);
}
