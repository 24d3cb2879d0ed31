import type { Subscription } from '@balcao/contract/billing.ts'
import { CancelInput } from '@balcao/contract/invoices.ts'
import { Button, Text, TextInput } from '@mantine/core'
import { IconCalendarOff } from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useMay } from '../../platform/session.tsx'
import { shownTime } from '../../platform/time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { Banner } from '../../ui/status.tsx'
import { ExportSection } from '../companyExports/export-section.tsx'
import { endSubscription, goOn } from './billing.api.ts'
import { useBillingText } from './billing.text.ts'

interface Props {
  subscription: Subscription
  onClose(): void
}

/** Ends a subscription with a reason, on the day that is shown; the data of the company is offered before. */
export function EndDialog({ subscription: { companyId, paidThrough }, onClose }: Props) {
  const t = useBillingText()
  const administers = useMay('administration')
  const isMaster = useMay('master')
  const mayExport = administers || isMaster
  return (
    <Dialog title={t('end')} onClose={onClose}>
      <RowForm
        schema={CancelInput}
        initialValues={{ reason: '' }}
        confirm={t('end')}
        done={t('ended')}
        save={({ reason }) => endSubscription(companyId, reason)}
        onClose={onClose}
      >
        {form => (
          <>
            <Text size="sm">{t('endHint', { day: shownTime(paidThrough).format('L') })}</Text>
            <TextInput
              data-autofocus
              required
              label={t('reason')}
              maxLength={200}
              {...form.getInputProps('reason')}
            />
            {mayExport && <ExportSection companyId={companyId} />}
          </>
        )}
      </RowForm>
    </Dialog>
  )
}

/** The end that comes, and its withdrawal. */
export function EndBanner({
  subscription: { companyId, endsOn, endReason, mayEnd },
}: Pick<Props, 'subscription'>) {
  const t = useBillingText()
  const [busy, setBusy] = useState(false)
  const withdraw = () => {
    setBusy(true)
    return goOn(companyId)
      .then(() => notify.done(t('wentOn')), notify.failed)
      .finally(() => setBusy(false))
  }
  return (
    <Banner
      tone="warning"
      icon={<IconCalendarOff size={16} aria-hidden />}
      action={
        mayEnd && (
          <Button variant="default" size="xs" loading={busy} onClick={() => void withdraw()}>
            {t('goOn')}
          </Button>
        )
      }
    >
      {t('endsOn', { day: shownTime(endsOn!).format('L'), reason: endReason })}
    </Banner>
  )
}
