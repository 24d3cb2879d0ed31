import type { User } from '@balcao/contract/users.ts'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RemoveDialog } from '../../ui/list-screen/remove.dialog.tsx'
import { belongingsOf, removeUser, userChoices } from './users.api.ts'
import { useUserText } from './users.text.ts'

/** Confirms the deletion of a user: automations in the user's name are reassigned to a colleague, or stop. */
export function RemoveUserDialog({ user, onClose }: { user: User; onClose(): void }) {
  const t = useUserText()
  const [heirId, setHeir] = useState<number | null>(null)
  return (
    <RemoveDialog
      title={t('removeTitle', { name: user.name })}
      remove={evenIfUsed => removeUser(user.id, heirId, evenIfUsed)}
      onClose={onClose}
    >
      {t('removeHint')}
      <Belongings user={user} heirId={heirId} onHeir={setHeir} />
    </RemoveDialog>
  )
}

interface Props {
  user: User
  heirId: number | null
  onHeir(heirId: number | null): void
}

function Belongings({ user, heirId, onHeir }: Props) {
  const t = useUserText()
  const { data: belongings, isError } = useQuery(belongingsOf(user.id))
  const { data: colleagues = [] } = useQuery(userChoices)
  if (isError) return <p>{t('belongingsUnknown')}</p>
  if (!belongings?.length) return null
  return (
    <>
      <p>{t('belongings', { name: user.name })}</p>
      <ul>
        {belongings.map(({ kind, count, names }) => (
          <li key={kind}>
            {t(kind)}: {names.join(', ')}
            {count > names.length && ` ${t('andMore', { count: count - names.length })}`}
          </li>
        ))}
      </ul>
      <NativeSelect
        label={t('heir')}
        description={t(heirId === null ? 'stops' : 'knows')}
        value={heirId ?? ''}
        onChange={event => onHeir(Number(event.currentTarget.value) || null)}
        data={[
          { value: '', label: t('noHeir') },
          ...colleagues
            .filter(({ id }) => id !== user.id)
            .map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
    </>
  )
}
