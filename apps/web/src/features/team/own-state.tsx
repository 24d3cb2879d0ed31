import { availability } from '@balcao/contract/availability.ts'
import { IconCircleCheckFilled, IconCoffee, IconMoonFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../platform/call.ts'
import { ownAvailability } from './team.api.ts'
import { useTeamText } from './team.text.ts'

const ICONS = { available: IconCircleCheckFilled, pause: IconCoffee, away: IconMoonFilled }
const INPUT_MS = 60_000

/** Beside the name in the top bar: whether this user is available. It reports input where the company counts silence. */
export default function OwnState() {
  const t = useTeamText()
  const { data } = useQuery(ownAvailability)
  useInput(Boolean(data?.silenceMinutes))
  if (!data) return null
  const Icon = ICONS[data.state]
  return (
    <span data-state={data.state} title={t(data.state)} style={{ display: 'inline-flex' }}>
      <Icon size={15} aria-hidden />
      <span className="sr-only">{t(data.state)}</span>
    </span>
  )
}

function useInput(counts: boolean) {
  useEffect(() => {
    if (!counts) return
    let last = Number.NEGATIVE_INFINITY
    function act() {
      if (performance.now() - last < INPUT_MS) return
      last = performance.now()
      // the next input reports again what was lost
      call(availability.here).catch(() => {
        last = Number.NEGATIVE_INFINITY
      })
    }
    addEventListener('pointerdown', act)
    addEventListener('keydown', act)
    return () => {
      removeEventListener('pointerdown', act)
      removeEventListener('keydown', act)
    }
  }, [counts])
}
