#!/usr/bin/env node
/** The program `tolem`. */
import { main } from "./cli/Tolem.ts"

main()
