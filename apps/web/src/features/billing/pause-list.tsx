import { type Subscription, SubscriptionResumeInput } from '@balcao/contract/billing.ts'
import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../platform/session.tsx'
import { clock, shownTime } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldGroup } from '../../ui/fieldset.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { resumeBilling } from './billing.api.ts'
import classes from './billing.module.css'
import { useBillingText } from './billing.text.ts'

type Pause = Subscription['pauses'][number]
interface Props {
  companyId: number
  pauses: Pause[]
}

/** The pauses of a subscription; masters end one that lasts. */
export function PauseList({ companyId, pauses }: Props) {
  const t = useBillingText()
  const isMaster = useMay('master')
  const [ending, end] = useState<Pause | null>(null)
  const today = clock().format('YYYY-MM-DD')
  const lasts = ({ kind, until }: Pause) => kind === 'pause' && (until === null || until > today)
  return (
    <FieldGroup legend={t('pauses')}>
      <ul className={classes.pauses}>
        {pauses.map(pause => (
          <Group key={pause.id} component="li" justify="space-between" gap={12}>
            <div>
              <Text size="sm">{daysOf(pause, t)}</Text>
              <Text size="sm" c="dimmed">
                {pause.kind === 'off' ? t('off') : pause.reason}
                {pause.restsService && ` · ${t('serviceRests')}`}
              </Text>
            </div>
            {isMaster && lasts(pause) && (
              <Button
                variant="default"
                size="xs"
                aria-label={t('resumeNamed', { from: shownTime(pause.from).format('L') })}
                onClick={() => end(pause)}
              >
                {t('resume')}
              </Button>
            )}
          </Group>
        ))}
      </ul>
      {ending && <ResumeDialog companyId={companyId} pause={ending} onClose={() => end(null)} />}
    </FieldGroup>
  )
}

function daysOf({ from, until }: Pause, t: typeof useBillingText.read): string {
  const begins = shownTime(from).format('L')
  return until === null
    ? t('pausedOpen', { from: begins })
    : t('pausedUntil', { from: begins, until: shownTime(until).format('L') })
}

function ResumeDialog({ companyId, pause, onClose }: { companyId: number; pause: Pause; onClose(): void }) {
  const t = useBillingText()
  return (
    <Dialog title={t('resumeNamed', { from: shownTime(pause.from).format('L') })} onClose={onClose}>
      <RowForm
        schema={SubscriptionResumeInput}
        initialValues={{ until: clock().format('YYYY-MM-DD') }}
        confirm={t('resume')}
        done={t('resumed')}
        save={({ until }) => resumeBilling({ companyId, pauseId: pause.id }, until)}
        onClose={onClose}
      >
        {form => <TextInput data-autofocus type="date" label={t('until')} {...form.getInputProps('until')} />}
      </RowForm>
    </Dialog>
  )
}
