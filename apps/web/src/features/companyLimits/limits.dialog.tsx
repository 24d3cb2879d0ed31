import type { CompanyLimits, Limited } from '@balcao/contract/companyLimits.ts'
import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FieldGroup } from '../../ui/fieldset.tsx'
import { chooseLimits } from './companyLimits.api.ts'
import { useLimitsText } from './companyLimits.text.ts'

/** Chooses which users and connections go on; proposed are the oldest. */
export function LimitsDialog({ limits, onClose }: { limits: CompanyLimits; onClose(): void }) {
  const t = useLimitsText()
  const [userIds, setUsers] = useState(() => proposed(limits.users))
  const [connectionIds, setConnections] = useState(() => proposed(limits.connections))
  const [busy, setBusy] = useState(false)
  const isTooMany = userIds.length > limits.users.limit || connectionIds.length > limits.connections.limit
  const save = () => {
    setBusy(true)
    return chooseLimits(limits.companyId, { userIds, connectionIds })
      .then(() => {
        notify.done(t('saved'))
        onClose()
      }, notify.failed)
      .finally(() => setBusy(false))
  }
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <Stack gap={16}>
        <Choice what="users" limited={limits.users} chosen={userIds} choose={setUsers} />
        <Choice
          what="connections"
          limited={limits.connections}
          chosen={connectionIds}
          choose={setConnections}
        />
        {isTooMany && (
          <Text size="sm" c="red" role="status">
            {t('tooMany')}
          </Text>
        )}
      </Stack>
      <DialogActions onClose={onClose}>
        <Button loading={busy} disabled={isTooMany} onClick={() => void save()}>
          {t('save')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const proposed = ({ rows, limit }: Limited): number[] => {
  const awake = rows.filter(({ isResting }) => !isResting).map(({ id }) => id)
  return awake.filter((_, at) => at < limit)
}

interface ChoiceProps {
  what: 'users' | 'connections'
  limited: Limited
  chosen: number[]
  choose(ids: number[]): void
}

function Choice({ what, limited: { rows, limit }, chosen, choose }: ChoiceProps) {
  const t = useLimitsText()
  if (rows.length === 0) return null
  return (
    <FieldGroup legend={t(what, { chosen: chosen.length, limit })}>
      <Stack gap={8}>
        {rows.map(({ id, name, detail, isAdmin }) => (
          <Checkbox
            key={id}
            label={name}
            description={[detail, isAdmin && t('admin')].filter(Boolean).join(' · ')}
            checked={chosen.includes(id)}
            onChange={event =>
              choose(event.currentTarget.checked ? [...chosen, id] : chosen.filter(one => one !== id))
            }
          />
        ))}
      </Stack>
    </FieldGroup>
  )
}
