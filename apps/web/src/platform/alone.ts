/**
 * Runs something while no other tab runs it (Web Locks). Browsers offer locks only on https and localhost; on
 * a plain http address tabs may collide, and the worst is that one of them signs in again.
 */
export const alone = <T>(name: string, act: () => Promise<T>): Promise<T> =>
  navigator.locks ? navigator.locks.request(name, act) : act()
