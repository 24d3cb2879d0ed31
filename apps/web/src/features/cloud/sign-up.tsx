import { SIGN_UP_PATH } from '@balcao/contract/cloud.ts'
import { connections } from '@balcao/contract/connections.ts'
import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import { queryClient } from '../../platform/query.ts'
import { useBranding } from '../../shell/branding.ts'
import { useSignUpText } from './cloud.signup.text.ts'

const KEPT = 'balcao.signUp'
const DIALOG = 'https://www.facebook.com/v24.0/dialog/oauth'

/** What the admin chose before Meta; `state` shows that this browser began the sign-up. */
interface Begun {
  state: string
  pin: string
  importsHistory: boolean
}

/** Connects a number by Meta's embedded sign-up; nothing where the operator has no app at Meta. */
export function SignUp() {
  const t = useSignUpText()
  const { meta, backendUrl } = useBranding()
  const [isOnApp, setOnApp] = useState(true)
  const [importsHistory, setImports] = useState(true)
  const [pin, setPin] = useState('')
  if (!meta) return null
  const isWrong = !isOnApp && !/^\d{6}$/.test(pin)
  function begin() {
    const begun: Begun = {
      state: crypto.randomUUID(),
      pin: isOnApp ? '' : pin,
      importsHistory: isOnApp && importsHistory,
    }
    sessionStorage.setItem(KEPT, JSON.stringify(begun))
    const query = new URLSearchParams({
      client_id: meta!.appId,
      config_id: meta!.configId,
      redirect_uri: backendUrl + SIGN_UP_PATH,
      state: begun.state,
      response_type: 'code',
      override_default_response_type: 'true',
      extras: JSON.stringify({
        setup: {},
        sessionInfoVersion: '3',
        ...(isOnApp && { featureType: 'whatsapp_business_app_onboarding' }),
      }),
    })
    location.assign(`${DIALOG}?${query}`)
  }
  return (
    <Stack gap={8} component="fieldset" p={0} m={0} bd="none">
      <Text size="sm" c="dimmed">
        {t('intro')}
      </Text>
      <Checkbox
        label={t('isOnApp')}
        checked={isOnApp}
        onChange={event => setOnApp(event.currentTarget.checked)}
      />
      {isOnApp ? (
        <Checkbox
          label={t('imports')}
          checked={importsHistory}
          onChange={event => setImports(event.currentTarget.checked)}
        />
      ) : (
        <TextInput
          label={t('pin')}
          description={t('pinHint')}
          inputMode="numeric"
          maxLength={6}
          value={pin}
          onChange={event => setPin(event.currentTarget.value)}
        />
      )}
      <Button variant="default" disabled={isWrong} onClick={begin}>
        {t('begin')}
      </Button>
      <Text size="sm" c="dimmed">
        {t('byHand')}
      </Text>
    </Stack>
  )
}

/** Ends a sign-up that Meta led back from. `onDone` gets the connection. */
export function SignUpReturn({ onDone }: { onDone(whatsappId: number): void }) {
  const t = useSignUpText()
  const [query, setQuery] = useSearchParams()
  const [code, state] = [query.get('code'), query.get('state')]
  useEffect(() => {
    if (!state) return
    const begun = begunAs(state)
    setQuery({}, { replace: true })
    if (!code || !begun) return notify.warn(t('left'))
    const { pin, importsHistory } = begun
    notify.done(t('connecting'))
    void call(connections.signUp, { body: { code, importsHistory, ...(pin && { pin }) } }).then(({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ['connections'] })
      onDone(id)
    }, notify.failed)
  }, [code, state, setQuery, onDone, t])
  return null
}

/** What was chosen for this sign-up, once. */
function begunAs(state: string): Begun | null {
  const kept = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  const begun = kept ? (JSON.parse(kept) as Begun) : null
  return begun?.state === state ? begun : null
}
