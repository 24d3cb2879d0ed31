import { pricesOf } from '@balcao/contract/leads.rules.ts'
import { soldBy } from '@balcao/contract/plans.rules.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { whyNot } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldSection } from '../../ui/fieldset.tsx'
import { Late } from '../../ui/late.tsx'
import { PlanDialog } from './plan.dialog.tsx'
import { assignPlan, companyPlan, offeredPlans } from './plans.api.ts'
import { followPlans } from './plans.live.ts'
import { usePlanText } from './plans.text.ts'

/** The one plan of a company; without one, and with `mayAssign`, one of the offered plans is chosen. */
export function PlanSection({ companyId, mayAssign }: { companyId: number; mayAssign: boolean }) {
  const t = usePlanText()
  const { data, isError, error } = useQuery(companyPlan(companyId))
  const [open, setOpen] = useState<'edit' | 'choose' | null>(null)
  useEffect(() => followPlans(companyId), [companyId])
  const plan = data?.[0]
  const close = () => setOpen(null)
  return (
    <FieldSection legend={t('plan')}>
      {!data && (
        <Late>
          <p role="status">{isError && whyNot(error, t('failed'))}</p>
        </Late>
      )}
      {plan && <ShownPlan plan={plan} onEdit={() => setOpen('edit')} />}
      {data && !plan && (
        <Stack gap={12} align="flex-start">
          <Text size="sm">{t('noPlan')}</Text>
          {mayAssign && <Button onClick={() => setOpen('choose')}>{t('add')}</Button>}
        </Stack>
      )}
      {open === 'edit' && plan && <PlanDialog id={plan.id} onClose={close} />}
      {open === 'choose' && <PlanPicker companyId={companyId} onClose={close} />}
    </FieldSection>
  )
}

function ShownPlan({ plan, onEdit }: { plan: Plan; onEdit(): void }) {
  const t = usePlanText()
  return (
    <Group justify="space-between" gap={12}>
      <div>
        <Text fw={600}>{plan.name}</Text>
        <PlanWords plan={plan} />
        <Text size="sm" c="dimmed">
          {t(plan.recurrence)} · {t(plan.billingType)}
        </Text>
      </div>
      <Button variant="default" onClick={onEdit}>
        {t('edit')}
      </Button>
    </Group>
  )
}

function PlanWords({ plan }: { plan: Plan }) {
  const t = usePlanText()
  return (
    <Text size="sm" c="dimmed">
      {t('numberAttendants')}: {plan.numberAttendants} · {t('numberConnections')}: {plan.numberConnections} ·{' '}
      {t('monthly', { value: monthlyOf(plan) })}
    </Text>
  )
}

/** What a month costs by the period that is paid at once. */
const monthlyOf = (plan: Plan) =>
  pricesOf(plan).find(({ recurrence }) => recurrence === soldBy(plan, plan.recurrence))!.monthly

/** Assigns one of the offered plans: its values are copied. */
function PlanPicker({ companyId, onClose }: { companyId: number; onClose(): void }) {
  const t = usePlanText()
  const { data } = useQuery(offeredPlans)
  const [busy, setBusy] = useState<number | null>(null)
  async function pick(planId: number) {
    setBusy(planId)
    await assignPlan(companyId, planId).then(() => {
      notify.done(t('saved'))
      onClose()
    }, notify.failed)
    setBusy(null)
  }
  return (
    <Dialog title={t('choose')} onClose={onClose} size={620}>
      {data?.length === 0 && <p>{t('noneOffered')}</p>}
      <Stack gap={16} component="ul" p={0} m={0}>
        {data?.map(plan => (
          <Group key={plan.id} component="li" justify="space-between" gap={12}>
            <div>
              <Text fw={600}>{plan.name}</Text>
              <PlanWords plan={plan} />
            </div>
            <Button
              variant="default"
              aria-label={`${t('assign')}: ${plan.name}`}
              loading={busy === plan.id}
              onClick={() => void pick(plan.id)}
            >
              {t('assign')}
            </Button>
          </Group>
        ))}
      </Stack>
    </Dialog>
  )
}
