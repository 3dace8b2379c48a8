// There is no package clause here. // want VG101 `the package clause is missing`
