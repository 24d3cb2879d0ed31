import type { Collector } from '@balcao/contract/collectors.ts'
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useBranding } from '../../shell/branding.ts'
import { CopiedField } from '../../ui/copied-field.tsx'
import { saveCollector, testCollector } from './collectors.api.ts'
import { COLLECTOR_LABELS } from './collectors.labels.ts'
import { useCollectorText } from './collectors.text.ts'

const NOTHING = { token: '', webhookSecret: '' }

/** Token and secret of the platform at a provider, and the address that it calls. */
export function CollectorAccount({ collector }: { collector: Collector }) {
  const t = useCollectorText()
  const { backendUrl } = useBranding()
  const [typed, setTyped] = useState(NOTHING)
  const [busy, setBusy] = useState<'save' | 'test' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { name, isSetUp, isOfServer, billingTypes } = collector
  const label = COLLECTOR_LABELS[name]
  const end = `••••${collector.tokenEnd}`
  // what is kept can be left empty
  const isReady =
    isSetUp && !isOfServer ? typed.token || typed.webhookSecret : typed.token && typed.webhookSecret
  const fields = [
    ['token', t('token'), isSetUp ? t(isOfServer ? 'ofServer' : 'kept', { end }) : undefined],
    ['webhookSecret', t('secret'), undefined],
  ] as const

  async function during(what: 'save' | 'test', work: () => Promise<void>) {
    setBusy(what)
    setProblem(null)
    await work().catch(notify.failed)
    setBusy(null)
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    void during('save', async () => {
      await saveCollector(name, typed)
      setTyped(NOTHING)
      notify.done(t('saved'))
    })
  }

  return (
    <form onSubmit={save} noValidate aria-label={t('account', { name: label })}>
      <Stack gap={12} mt={20}>
        <div>
          <Text component="h3" m={0} fw={600} size="sm">
            {t('account', { name: label })}
          </Text>
          <Text size="sm" c="dimmed">
            {t('ways', { ways: billingTypes.map(way => t(way)).join(', ') })}
          </Text>
        </div>
        {fields.map(([field, title, hint]) => (
          <PasswordInput
            key={field}
            label={title}
            description={hint}
            autoComplete="new-password"
            maxLength={500}
            value={typed[field]}
            onChange={event => setTyped({ ...typed, [field]: event.currentTarget.value })}
          />
        ))}
        <CopiedField label={t('address')} value={(backendUrl || location.origin) + collector.webhookPath} />
        <Group gap={12}>
          <Button type="submit" variant="default" loading={busy === 'save'} disabled={!isReady}>
            {t('save')}
          </Button>
          <Button
            variant="default"
            loading={busy === 'test'}
            disabled={!isSetUp}
            onClick={() => void during('test', async () => setProblem(await testCollector(name)))}
          >
            {t('test')}
          </Button>
        </Group>
        <Text size="sm" aria-live="polite" {...(problem && { c: 'var(--error)' })}>
          {problem === '' ? t('works') : problem}
        </Text>
      </Stack>
    </form>
  )
}
