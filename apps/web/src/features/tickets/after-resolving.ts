/** Whether the next ticket of the list is opened when one is resolved, on this device. */
const KEPT = 'nextAfterResolving'

export const nextAfterResolving = {
  isOn: () => localStorage.getItem(KEPT) === 'on',
  set: (on: boolean) => localStorage.setItem(KEPT, on ? 'on' : 'off'),
}
