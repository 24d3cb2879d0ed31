/**
 * Waits until the function returns a value other than undefined, null or false. Throws an error that names what was
 * awaited after `timeout` milliseconds.
 */
export async function until<T>(
  what: string,
  ask: () => T | undefined | null | false,
  timeout = 5_000,
): Promise<T> {
  const deadline = Date.now() + timeout
  while (Date.now() < deadline) {
    const answer = ask()
    if (answer !== undefined && answer !== null && answer !== false) return answer
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  throw new Error(`waited ${timeout} ms in vain for ${what}`)
}
