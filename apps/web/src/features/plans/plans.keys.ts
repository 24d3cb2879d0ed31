/** First part of the cache keys of plans. */
export const PLANS = ['plans']
