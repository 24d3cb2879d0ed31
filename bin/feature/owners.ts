import type { Passage } from './fields.ts'

const [onServer, onWeb] = ['apps/server/src/features/quickAnswers', 'apps/web/src/features/quickAnswers']

/** What quick answers have beside a list, which a copy is without: owners, and shortcuts that are there once. */
export const ofOwners: Record<string, Passage[]> = {
  'packages/contract/src/quickAnswers.ts': [
    without('idOrNone, '),
    without(['  /** Whose it is', 'userId: z.int().nullable(),\n']),
    without(['  /** At most one of them', 'userId: idOrNone.optional(),\n']),
    without(".regex(/^\\S*$/, 'No spaces')"),
    without(', of the caller’s queues and of the caller'),
    without([' to the company, a queue or the caller', 'in details']),
    without([', also whose it is', 'in details']),
    without('; what is not the caller’s own by the right to delete what is shared'),
    [
      "'DELETE', '/quickAnswers/:quickAnswerId', {\n    needs: 'session'",
      "'DELETE', '/quickAnswers/:quickAnswerId', {\n    needs: 'shared:delete'",
    ],
  ],
  [`${onServer}/quickAnswers.table.ts`]: [
    without('check, foreignKey, '),
    without('integer, '),
    without(['import { queues }', "users.table.ts'\n"]),
    without(["    queueId: integer('queue_id')", "integer('user_id'),\n"]),
    without(['    foreignKey({ columns: [table.companyId, table.queueId]', '<= 1`),\n']),
  ],
  [`${onServer}/quickAnswers.queries.ts`]: [
    without(['import { ownedVisibly }', "owners.queries.ts'\n"]),
    without('        ownedVisibly(tx),\n'),
    without(', ownedVisibly(tx)'),
  ],
  [`${onServer}/quickAnswers.actions.ts`]: [
    without(['import { holdQuickAnswer', "owners.actions.ts'\n"]),
    without('/** Refuses with ERR_NO_QUEUE_FOUND, ERR_NO_USER_FOUND, ERR_NAME_EXISTS. */\n'),
    without(', ERR_NO_PERMISSION, and what adding one refuses with'),
    without(', ERR_NO_PERMISSION'),
    ['await withOwner(tx, input)', 'input'],
    ['await withOwner(tx, input, before)', 'input'],
    without('    const before = await holdQuickAnswer(tx, quickAnswerId)\n'),
    without('    const before = await holdRemovable(tx, quickAnswerId)\n'),
    ['quickAnswer, before }', 'quickAnswer }'],
    ['quickAnswerId, before }', 'quickAnswerId }'],
  ],
  [`${onServer}/quickAnswers.events.ts`]: [
    without(['import type { AnswerOwner }', "quickAnswers.rules.ts'\n"]),
    without('/** `before`: whose it was, where it was there. */\n'),
    without(' & { before?: AnswerOwner }'),
  ],
  [`${onServer}/quickAnswers.live.ts`]: [
    without(['import type { AnswerOwner }', "quickAnswers.rules.ts'\n"]),
    ['{ admins, allMembers, everyone, oneUser, publish, type Room }', '{ pushList }'],
    [
      ['/** To those who see it', 'admins(companyId)]\n}\n'],
      'export const live = [pushList(quickAnswerChannel, quickAnswerChanged)]\n',
    ],
  ],
  [`${onServer}/index.ts`]: [without(['import { reacts }', "reacts.ts'\n"]), without(', reacts')],
  [`${onServer}/quickAnswers.test.ts`]: [without(', queueId: null, userId: null')],
  [`${onWeb}/quickAnswers.text.ts`]: [
    without(', para uma fila ou só para você'),
    without(', for a queue or only for you'),
    without(', para una cola o solo para usted'),
  ],
  [`${onWeb}/quick-answers-screen.tsx`]: [
    without("import { useOwnerName } from './owner-name.ts'\n"),
    without("import { useOwnerText } from './quickAnswers.owners.text.ts'\n"),
    without('  const ownerName = useOwnerName()\n  const owner = useOwnerText()\n'),
    without(["    { key: 'owner'", 'ownerName },\n']),
    ['one.userId === null ? whyNot : undefined', 'whyNot'],
  ],
  [`${onWeb}/quick-answer.dialog.tsx`]: [
    without("import { OwnerField } from './owner-field.tsx'\n"),
    without("import { useShortcutError } from './shortcut-error.ts'\n"),
    without('  const shortcut = useShortcutError()\n'),
    without(['            queueId: quickAnswer?.queueId', 'quickAnswer?.userId ?? null,\n']),
    [
      'shortcut.saving(values.shortcut, () => saveQuickAnswer(id, values, seen))',
      'saveQuickAnswer(id, values, seen)',
    ],
  ],
  'docs/growth.md': [without(['; a user’s own', 'with the user'])],
  'e2e/frames/quickAnswers.txt': [without('    columnheader Para quem\n')],
  'e2e/frames/quickAnswers-new.txt': [without('  combobox Para quem\n')],
}

function without(passage: Passage[0]): Passage {
  return [passage, '']
}
