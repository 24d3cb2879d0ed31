import { sendDueNotices } from '../src/features/billingNotices/billingNotices.worker.ts'

type Tools = Parameters<typeof sendDueNotices>[0]

/** Sends every notice that is due at `now`. One run of the worker ends after a share of a second, whatever is left. */
export async function sendAllDueNotices(tools: Tools, now?: Date): Promise<void> {
  while (await sendDueNotices(tools, now));
}
