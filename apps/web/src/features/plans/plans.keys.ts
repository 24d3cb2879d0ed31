/** What the cached plans begin with. */
export const PLANS = ['plans']
