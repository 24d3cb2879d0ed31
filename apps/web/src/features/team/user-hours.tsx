import { UserHours } from '@balcao/contract/availability.ts'
import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { HoursRows } from '../businessHours/hours-rows.tsx'
import { hoursOf, saveUserHours } from './team.api.ts'
import { useTeamText } from './team.text.ts'

const KINDS = ['working', 'login'] as const

/** When a user works, and when the user may log in: saved by itself, beside the form of the user. */
export function UserHoursSection({ userId }: { userId: number }) {
  const t = useTeamText()
  const { data } = useQuery(hoursOf(userId))
  return (
    <FieldSection legend={t('userHours')}>
      {data && <HoursForm userId={userId} initial={data} />}
    </FieldSection>
  )
}

function HoursForm({ userId, initial }: { userId: number; initial: UserHours }) {
  const t = useTeamText()
  const [hours, setHours] = useState(initial)
  const [kept, setKept] = useState(initial)
  const [busy, setBusy] = useState(false)
  const isWrong = !UserHours.safeParse(hours).success
  async function save() {
    setBusy(true)
    await saveUserHours(userId, hours, kept).then(
      saved => {
        setKept(saved)
        notify.done(t('saved'))
      },
      error => notify.failed(error),
    )
    setBusy(false)
  }
  return (
    <Stack gap={12}>
      {KINDS.map(kind => (
        <Stack key={kind} gap={8} role="group" aria-label={t(kind)}>
          <Text fw={600} size="sm">
            {t(kind)}
          </Text>
          <Text size="sm" c="dimmed">
            {t(`${kind}Hint`)}
          </Text>
          <HoursRows initial={initial[kind]} onChange={some => setHours(all => ({ ...all, [kind]: some }))} />
        </Stack>
      ))}
      {isWrong && (
        <Text role="alert" size="sm" c="var(--error)">
          {t('wrong')}
        </Text>
      )}
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        onClick={() => void save()}
        loading={busy}
        disabled={isWrong}
      >
        {t('saveHours')}
      </Button>
    </Stack>
  )
}
