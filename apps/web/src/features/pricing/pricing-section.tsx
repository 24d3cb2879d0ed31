import { percentOf } from '@balcao/contract/pricing.rules.ts'
import type { Discount, Pricing, Readjustment } from '@balcao/contract/pricing.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { errorText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { useMay } from '../../platform/session.tsx'
import { shownTime } from '../../platform/time.ts'
import { FieldSection } from '../../ui/fieldset.tsx'
import { Late } from '../../ui/late.tsx'
import { reductionText } from '../coupons/coupons.shapes.ts'
import { ChargeDialog } from './charge.dialog.tsx'
import { DiscountDialog } from './discount.dialog.tsx'
import { companyPricing, endDiscount, withdrawReadjustment } from './pricing.api.ts'
import { usePricingText } from './pricing.text.ts'
import { ReadjustDialog } from './readjust.dialog.tsx'

/** What changes the price of a company: masters charge, give discounts and readjust; who pays sees it. */
export function PricingSection({ companyId }: { companyId: number }) {
  const t = usePricingText()
  const isMaster = useMay('master')
  const { data, error } = useQuery(companyPricing(companyId))
  const [open, setOpen] = useState<'charge' | 'discount' | 'readjust' | null>(null)
  const close = () => setOpen(null)
  return (
    <FieldSection legend={t('pricing')}>
      <Stack gap={16}>
        {data ? (
          <Terms pricing={data} isMaster={isMaster} />
        ) : (
          <Late>
            <p role="status">{error && errorText(error)}</p>
          </Late>
        )}
        {isMaster && (
          <Group gap={8}>
            <Button variant="default" onClick={() => setOpen('charge')}>
              {t('charge')}
            </Button>
            <Button variant="default" onClick={() => setOpen('discount')}>
              {t('discount')}
            </Button>
            <Button variant="default" onClick={() => setOpen('readjust')}>
              {t('readjust')}
            </Button>
          </Group>
        )}
      </Stack>
      {open === 'charge' && <ChargeDialog companyId={companyId} onClose={close} />}
      {open === 'discount' && <DiscountDialog companyId={companyId} onClose={close} />}
      {open === 'readjust' && <ReadjustDialog companyId={companyId} onClose={close} />}
    </FieldSection>
  )
}

function Terms({
  pricing: { companyId, discounts, readjustments },
  isMaster,
}: {
  pricing: Pricing
  isMaster: boolean
}) {
  const t = usePricingText()
  if (discounts.length + readjustments.length === 0) return <Text size="sm">{t('none')}</Text>
  return (
    <>
      {discounts.map(one => (
        <DiscountLine key={one.id} companyId={companyId} discount={one} isMaster={isMaster} />
      ))}
      {readjustments.map(one => (
        <ReadjustmentLine key={one.id} companyId={companyId} readjustment={one} isMaster={isMaster} />
      ))}
    </>
  )
}

function DiscountLine({
  companyId,
  discount,
  isMaster,
}: {
  companyId: number
  discount: Discount
  isMaster: boolean
}) {
  const t = usePricingText()
  const what = reductionText(discount)
  const { used, periods, reason, couponCode, isOpen } = discount
  return (
    <Line
      head={t('discountIs', { what, used, periods })}
      more={[couponCode ? t('byCoupon', { code: couponCode }) : reason, !isOpen && t('over')]}
    >
      {isMaster && isOpen && (
        <Undo
          label={t('end')}
          named={t('endNamed', { what })}
          done={t('ended')}
          undo={() => endDiscount(companyId, discount.id)}
        />
      )}
    </Line>
  )
}

function ReadjustmentLine({
  companyId,
  readjustment: { rate, from, reason, isApplied },
  isMaster,
}: {
  companyId: number
  readjustment: Readjustment
  isMaster: boolean
}) {
  const t = usePricingText()
  return (
    <Line
      head={t('readjustmentIs', { rate: percentOf(rate), day: shownTime(from).format('L') })}
      more={[reason]}
    >
      {isMaster && !isApplied && (
        <Undo label={t('withdraw')} done={t('withdrawn')} undo={() => withdrawReadjustment(companyId)} />
      )}
    </Line>
  )
}

function Line({ head, more, children }: { head: string; more: (string | false)[]; children: ReactNode }) {
  return (
    <Group justify="space-between" gap={12}>
      <div>
        <Text size="sm">{head}</Text>
        <Text size="sm" c="dimmed">
          {more.filter(Boolean).join(' · ')}
        </Text>
      </div>
      {children}
    </Group>
  )
}

interface UndoProps {
  label: string
  named?: string
  done: string
  undo(): Promise<void>
}

function Undo({ label, named = label, done, undo }: UndoProps) {
  const [busy, setBusy] = useState(false)
  const press = () => {
    setBusy(true)
    return undo()
      .then(() => notify.done(done), notify.failed)
      .finally(() => setBusy(false))
  }
  return (
    <Button variant="default" size="xs" aria-label={named} loading={busy} onClick={() => void press()}>
      {label}
    </Button>
  )
}
