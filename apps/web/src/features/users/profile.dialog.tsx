import type { Seen } from '@balcao/contract/edits.rules.ts'
import { DEFAULT_GREETING, UserInput } from '@balcao/contract/users.ts'
import { Button, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { useSession, useUser } from '../../platform/session.tsx'
import { texts } from '../../platform/text.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { seenOf } from '../../ui/list-screen/meanwhile.ts'
import { useMeanwhile } from '../../ui/list-screen/use-meanwhile.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import { OwnAccess } from '../accounts/own-access.tsx'
import { OwnSessions } from '../accounts/own-sessions.tsx'
import classes from './profile.module.css'
import { saveProfile } from './users.api.ts'

const useText = texts({
  title: ['Meu perfil', 'My profile', 'Mi perfil'],
  own: ['Perfil', 'Profile', 'Perfil'],
  access: ['Acesso', 'Access', 'Acceso'],
  sessions: ['Sessões', 'Sessions', 'Sesiones'],
  name: ['Nome', 'Name', 'Nombre'],
  greeting: ['Mensagem de saudação', 'Greeting message', 'Mensaje de saludo'],
  farewell: ['Mensagem de despedida', 'Farewell message', 'Mensaje de despedida'],
  farewellHint: [
    'Enviada quando você resolve, com as mesmas variáveis. Vazia: a da fila, senão a da conexão.',
    'Sent when you resolve, with the same variables. Empty: that of the queue, else of the connection.',
    'Se envía cuando usted resuelve, con las mismas variables. Vacía: la de la cola, si no la de la conexión.',
  ],
  hint: [
    'Você pode usar {{cliente}}, {{atendente}}, {{protocolo}}, {{data}} e {{horas}}',
    'You may use {{cliente}}, {{atendente}}, {{protocolo}}, {{data}} and {{horas}}',
    'Puede usar {{cliente}}, {{atendente}}, {{protocolo}}, {{data}} y {{horas}}',
  ],
  save: ['Salvar', 'Save', 'Guardar'],
  saved: ['Salvo com sucesso', 'Saved', 'Guardado con éxito'],
})

const pages = ['own', 'access', 'sessions'] as const
type PageName = (typeof pages)[number]

/** The own record, login data, and sessions. */
export default function ProfileDialog({ onClose }: { onClose(): void }) {
  const t = useText()
  const [page, setPage] = useState<PageName>('own')
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <Tabs<PageName>
        label={t('title')}
        value={page}
        tabs={pages.map(value => ({ value, label: t(value) }))}
        onChange={setPage}
      />
      <div role="tabpanel" aria-label={t(page)} className={classes.page}>
        {page === 'own' && <OwnRecord onClose={onClose} />}
        {page === 'access' && <OwnAccess />}
        {page === 'sessions' && <OwnSessions />}
      </div>
    </Dialog>
  )
}

const ProfileInput = UserInput.pick({ name: true, greetingMessage: true, farewellMessage: true })

function OwnRecord({ onClose }: { onClose(): void }) {
  const t = useText()
  const user = useUser()
  const { update } = useSession()
  const form = useSchemaForm(ProfileInput, {
    initialValues: {
      name: user.name,
      greetingMessage: user.greetingMessage,
      farewellMessage: user.farewellMessage,
    },
  })
  // the session's record follows what others save
  const [row] = useState(user)
  const meanwhile = useMeanwhile()
  useUnsaved(form.isDirty())
  const save = useMutation({
    mutationFn: ({ values, current }: { values: typeof form.values; current?: Seen }) =>
      saveProfile(user, values, seenOf(row, values, current)),
    onSuccess(saved) {
      update(saved)
      notify.done(t('saved'))
      onClose()
    },
    onError: (error, { values }) =>
      meanwhile.asks(error, current => save.mutate({ values, current })) ||
      form.refused(error) ||
      notify.failed(error),
  })
  return (
    <form onSubmit={form.onSubmit(values => save.mutate({ values }))} noValidate>
      {meanwhile.question}
      <Stack gap={12}>
        <TextInput label={t('name')} data-autofocus {...form.getInputProps('name')} />
        <Textarea
          label={t('greeting')}
          placeholder={DEFAULT_GREETING}
          description={t('hint')}
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps('greetingMessage')}
        />
        <Textarea
          label={t('farewell')}
          description={t('farewellHint')}
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps('farewellMessage')}
        />
      </Stack>
      <DialogActions onClose={onClose}>
        <Button type="submit" loading={save.isPending}>
          {t('save')}
        </Button>
      </DialogActions>
    </form>
  )
}
