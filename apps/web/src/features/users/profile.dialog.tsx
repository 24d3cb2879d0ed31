import { DEFAULT_GREETING, UserInput } from '@balcao/contract/users.ts'
import { Button, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { useSession, useUser } from '../../platform/session.tsx'
import { texts } from '../../platform/text.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { saveProfile } from './users.api.ts'

const useText = texts({
  title: ['Meu perfil', 'My profile', 'Mi perfil'],
  name: ['Nome', 'Name', 'Nombre'],
  email: ['E-mail', 'E-mail', 'Correo'],
  password: ['Nova senha', 'New password', 'Nueva contraseña'],
  keep: [
    'Deixe em branco para manter a atual',
    'Leave empty to keep the current one',
    'Deje en blanco para mantener la actual',
  ],
  greeting: ['Mensagem de saudação', 'Greeting message', 'Mensaje de saludo'],
  hint: [
    'Você pode usar {{cliente}}, {{atendente}}, {{protocolo}}, {{data}} e {{horas}}',
    'You may use {{cliente}}, {{atendente}}, {{protocolo}}, {{data}} and {{horas}}',
    'Puede usar {{cliente}}, {{atendente}}, {{protocolo}}, {{data}} y {{horas}}',
  ],
  save: ['Salvar', 'Save', 'Guardar'],
  saved: ['Salvo com sucesso', 'Saved', 'Guardado con éxito'],
})

const ProfileInput = UserInput.pick({ name: true, email: true, password: true, greetingMessage: true })

/** The own record. */
export default function ProfileDialog({ onClose }: { onClose(): void }) {
  const t = useText()
  const user = useUser()
  const { update } = useSession()
  const form = useSchemaForm(ProfileInput, {
    initialValues: {
      name: user.name,
      email: user.email,
      password: '',
      greetingMessage: user.greetingMessage,
    },
  })
  const save = useMutation({
    mutationFn: (values: typeof form.values) => saveProfile(user, values),
    onSuccess(saved) {
      update(saved)
      notify.done(t('saved'))
      onClose()
    },
    onError: error => form.refused(error) || notify.failed(error),
  })
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <form onSubmit={form.onSubmit(values => save.mutate(values))} noValidate>
        <Stack gap={12}>
          <TextInput label={t('name')} data-autofocus {...form.getInputProps('name')} />
          <TextInput label={t('email')} type="email" autoComplete="email" {...form.getInputProps('email')} />
          <PasswordInput
            label={t('password')}
            description={t('keep')}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <Textarea
            label={t('greeting')}
            placeholder={DEFAULT_GREETING}
            description={t('hint')}
            autosize
            minRows={2}
            maxRows={6}
            {...form.getInputProps('greetingMessage')}
          />
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
