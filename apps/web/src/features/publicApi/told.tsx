import { isTold, useToldText } from './publicApi.told.text.ts'

/** Description of a call, an answer or a webhook, translated; untranslated ones in the server's English. */
export function Told({ of, children }: { of: string; children: string }) {
  const t = useToldText()
  return isTold(of) ? t(of) : <span lang="en">{children}</span>
}
