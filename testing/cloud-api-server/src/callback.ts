import type { State } from './state.ts'

/** Where webhooks go, and the word that the receiver must know to be given them. */
export interface Callback {
  url: string
  verifyToken: string
}

const PATIENCE_MS = 10_000

/**
 * The verification handshake: a GET that must be answered 200 with the challenge as it came.
 * Answers Meta's complaint, or undefined when the receiver did well.
 */
export async function complaintAbout(
  state: State,
  { url, verifyToken }: Callback,
): Promise<string | undefined> {
  const challenge = state.random.digits(10)
  const target = new URL(url)
  target.searchParams.set('hub.mode', 'subscribe')
  target.searchParams.set('hub.challenge', challenge)
  target.searchParams.set('hub.verify_token', verifyToken)
  const begin = 'Callback verification failed with the following errors:'
  try {
    const answer = await fetch(target, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' })
    const text = await answer.text()
    if (answer.status !== 200)
      return `${begin} HTTP Status Code = ${answer.status}; HTTP Message = ${answer.statusText}`
    return text === challenge ? undefined : `${begin} the hub.challenge was not answered as it came`
  } catch (error) {
    return `${begin} curl_error = ${(error as Error).message}; HTTP Status Code = 0`
  }
}
