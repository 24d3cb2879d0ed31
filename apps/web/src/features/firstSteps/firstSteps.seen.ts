/** Users whose checklist is done, kept in this browser: no requests are made for it any more. */
const keyOf = (userId: number) => `firstSteps:${userId}`

export const isDoneWith = (userId: number) => localStorage.getItem(keyOf(userId)) !== null

export const beDoneWith = (userId: number) => localStorage.setItem(keyOf(userId), 'done')
