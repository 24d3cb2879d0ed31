import { auth, LoginInput } from '@balcao/contract/auth.ts'
import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../platform/call.ts'
import { errorText } from '../platform/errors.text.ts'
import { useSchemaForm } from '../platform/forms.ts'
import { useSession } from '../platform/session.tsx'
import { texts } from '../platform/text.ts'

const useText = texts({
  title: ['Sua sessão terminou', 'Your session has ended', 'Su sesión terminó'],
  stays: [
    'Entre de novo como {email} para continuar. O que está escrito nesta tela fica.',
    'Sign in again as {email} to go on. What is written on this screen stays.',
    'Entre de nuevo como {email} para continuar. Lo escrito en esta pantalla se conserva.',
  ],
  password: ['Senha', 'Password', 'Contraseña'],
  show: ['Mostrar a senha', 'Show the password', 'Mostrar la contraseña'],
  enter: ['Entrar', 'Sign in', 'Entrar'],
  leave: ['Sair', 'Leave', 'Salir'],
})

/** Over the screen when the session expired: nothing on it is lost. */
export default function SignInAgain({ email }: { email: string }) {
  const t = useText()
  const { enter, leave } = useSession()
  const form = useSchemaForm(LoginInput, { initialValues: { email, password: '' } })
  const [busy, setBusy] = useState(false)
  const signIn = async (body: typeof form.values) => {
    setBusy(true)
    await call(auth.login, { body }).then(enter, error => form.setFieldError('password', errorText(error)))
    setBusy(false)
  }
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('title')}
      overlayProps={{ blur: 6 }}
      zIndex={400}
    >
      <form onSubmit={form.onSubmit(values => void signIn(values))} noValidate>
        <Stack gap={16}>
          <Text size="sm">{t('stays', { email })}</Text>
          <input type="hidden" autoComplete="username" value={email} readOnly />
          <PasswordInput
            data-autofocus
            label={t('password')}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('show') }}
            {...form.getInputProps('password')}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="subtle" onClick={() => void leave()}>
              {t('leave')}
            </Button>
            <Button type="submit" loading={busy}>
              {t('enter')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
