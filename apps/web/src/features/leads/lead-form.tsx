import { TRIAL_DAYS } from '@balcao/contract/leads.rules.ts'
import { LeadInput } from '@balcao/contract/leads.ts'
import type { Plan } from '@balcao/contract/plans.ts'
import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSchemaForm } from '../../platform/forms.ts'
import { Refusal } from '../auth/refusal.tsx'
import { askForPlan } from './leads.api.ts'
import { useLeadText } from './leads.text.ts'
import classes from './store.module.css'
import page from './store-page.module.css'

interface Props {
  planId: number
  recurrence: Plan['recurrence']
  /** With the lead's id where no letter brings it. */
  onTaken(leadId: string | null): void
}

/** Who wants to try the plan. */
export function LeadForm({ planId, recurrence, onTaken }: Props) {
  const t = useLeadText()
  const [refusal, setRefusal] = useState<unknown>(null)
  const form = useSchemaForm(LeadInput, {
    initialValues: { name: '', whatsAppNumber: '', email: '', website: '' },
  })
  const ask = useMutation({
    mutationFn: (values: typeof form.values) => askForPlan({ ...values, planId, recurrence }),
    onMutate: () => setRefusal(null),
    onSuccess: ({ id }) => onTaken(id),
    onError: error => setRefusal(form.refused(error) ? null : error),
  })
  return (
    <section className={page.sheet} aria-labelledby="lead-form">
      <h2 className={page.head} id="lead-form">
        {t('you')}
      </h2>
      <form onSubmit={form.onSubmit(values => ask.mutate(values))} noValidate>
        <Stack gap={14}>
          <TextInput label={t('name')} autoComplete="name" {...form.getInputProps('name')} />
          <TextInput
            label={t('whatsApp')}
            description={t('whatsAppHint')}
            type="tel"
            autoComplete="tel"
            maxLength={30}
            {...form.getInputProps('whatsAppNumber')}
          />
          <TextInput label={t('email')} type="email" autoComplete="email" {...form.getInputProps('email')} />
          {/* programs that fill in every field give themselves away */}
          <div className={classes.unseen} aria-hidden>
            <label>
              {t('leaveEmpty')}
              <input tabIndex={-1} autoComplete="off" {...form.getInputProps('website')} />
            </label>
          </div>
          <Refusal error={refusal} />
          <Button type="submit" size="md" fullWidth loading={ask.isPending}>
            {t('start')}
          </Button>
          <p className={classes.quiet} style={{ margin: 0 }}>
            {t('trial', { days: TRIAL_DAYS })}
          </p>
        </Stack>
      </form>
    </section>
  )
}
