import { Button, Group, NumberInput, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { saveSilence, silenceSettings } from './team.api.ts'
import { useTeamText } from './team.text.ts'

/** After how many minutes without input a user is away: a section of the settings. */
export function SilenceSection({ className, headClass }: { className?: string; headClass?: string }) {
  const t = useTeamText()
  const { data } = useQuery(silenceSettings)
  return (
    <section className={className} aria-label={t('silenceTitle')}>
      <h2 className={headClass}>{t('silenceTitle')}</h2>
      <Text size="sm" c="dimmed" mb={12}>
        {t('silenceHint')}
      </Text>
      {data && <SilenceForm initial={data.silenceMinutes} />}
    </section>
  )
}

function SilenceForm({ initial }: { initial: number | null }) {
  const t = useTeamText()
  const [minutes, setMinutes] = useState<number | string>(initial ?? '')
  const save = () =>
    saveSilence(minutes === '' ? null : Number(minutes)).then(
      () => notify.done(t('saved')),
      error => notify.failed(error),
    )
  return (
    <Group align="flex-end" gap={12}>
      <NumberInput
        label={t('minutes')}
        min={1}
        max={1_440}
        allowDecimal={false}
        value={minutes}
        onChange={setMinutes}
        w={140}
      />
      <Button onClick={() => void save()}>{t('save')}</Button>
    </Group>
  )
}
