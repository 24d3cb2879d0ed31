import { useEffect } from 'react'
import { useLanguage } from '../../platform/text.ts'
import { useBranding } from '../../shell/branding.ts'
import { useScreenTitle } from '../../ui/screen-title.ts'
import { useActiveLists } from './tickets.api.ts'
import { useTicketText } from './tickets.text.ts'

const CAP = 10

/**
 * The window's title shows how many tickets wait and are attended; its icon shows the number, capped at 10.
 */
export function useTitle() {
  const { open, pending } = useActiveLists()
  const language = useLanguage()
  const screen = useScreenTitle()
  const { platformName } = useBranding()
  const attended = open.list?.count ?? 0
  const waiting = pending.list?.count ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text changes with the language
  useEffect(() => {
    const parts = [
      waiting > 0 ? `${useTicketText.read('pending')} (${waiting})` : '',
      attended > 0 ? `${useTicketText.read('assigned')} (${attended})` : '',
    ].filter(Boolean)
    const [count, name] = [waiting + attended, screen]
    document.title = name
      ? [name, ...(count > 0 ? [`(${count})`] : []), platformName].join(' · ')
      : parts.join(' · ') || useTicketText.read('nothing')
    setIcon(waiting + attended)
    setBadge(waiting + attended)
  }, [attended, waiting, language, screen, platformName])
  // the counts are of the person who logs out
  useEffect(() => () => setBadge(0), [])
}

/** On the icon of the installed app; refused where it is not installed. */
function setBadge(count: number) {
  if ('setAppBadge' in navigator) navigator.setAppBadge(count).catch(() => {})
}

function setIcon(count: number) {
  const icon = document.querySelector<HTMLLinkElement>('#favicon')
  if (!icon) return
  if (count === 0) {
    icon.href = '/favicon.svg'
    return
  }
  const shown = count > CAP ? `${CAP}+` : String(count)
  const size = shown.length > 2 ? 13 : 17
  icon.href = `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#e9a63a"/><text x="16" y="22" font-family="sans-serif" font-weight="700" font-size="${size}" text-anchor="middle" fill="#14242b">${shown}</text></svg>`,
  )}`
}
