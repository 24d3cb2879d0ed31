import { may } from '@balcao/contract/permissions.rules.ts'
import type { TeamMember } from '@balcao/contract/team.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { teamMembers } from '../availability/availability.state.queries.ts'
import { figuresByUser } from './team.queries.ts'

/** Everyone with figures for who may see the team; the colleagues of their queues for others. */
export function board(scope: Scope): Promise<TeamMember[]> {
  const viewer = viewerOf(scope)
  if (!may(viewer, 'team')) return scope.read(tx => teamMembers(tx, { among: viewer.id }))
  return scope.list(async tx => {
    const members = await teamMembers(tx)
    const figures = await figuresByUser(tx)
    return members.map(member => ({ ...member, ...figures.get(member.id) }))
  })
}
