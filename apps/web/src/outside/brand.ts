import { type Branding, companies } from '@balcao/contract/companies.ts'
import { patiently } from '../platform/asked.ts'
import { call } from '../platform/call.ts'
import { store, useStore } from '../platform/store.ts'
import { htmlLanguage, language } from '../platform/text.ts'
import { dressWindow, unbranded } from '../shell/brand-window.ts'

const told = store<Branding>(unbranded)

/** Asks whose pages these are, and dresses the window; a server that says nothing leaves Balcão's own. */
export const wearBrand = () =>
  patiently(() => call(companies.branding)).then(
    branding => {
      dressWindow(branding)
      told.write(branding)
    },
    () => {},
  )

/** Name, logo and addresses of this installation, on a page outside. */
export const useBrandOutside = (): Branding => useStore(told)

/** The day of a moment on the installation's clock, as the reader writes days. */
export function dayOutside(moment: string): string {
  const digits = { day: '2-digit', month: '2-digit', year: 'numeric' } as const
  const { timeZone } = told.read()
  return new Date(moment).toLocaleDateString(htmlLanguage[language()], {
    ...digits,
    ...(timeZone && { timeZone }),
  })
}
