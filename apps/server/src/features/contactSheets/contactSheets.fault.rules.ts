import type { SheetFault } from '@balcao/contract/contactSheets.ts'

/** Why a file cannot be read, and in which row. */
export interface FileFault {
  fault: SheetFault
  row: number | null
}

/** Thrown where a file is found to be no list of contacts. */
export class SheetRefused extends Error {
  readonly fault: FileFault

  constructor(fault: SheetFault, row: number | null = null) {
    super(fault)
    this.fault = { fault, row }
  }
}
