import { isDescribed, useDescriptionText } from './publicApi.descriptions.text.ts'

/** Description of a call, an answer or a webhook, translated; untranslated ones in the server's English. */
export function Description({ of, children }: { of: string; children: string }) {
  const t = useDescriptionText()
  return isDescribed(of) ? t(of) : <span lang="en">{children}</span>
}
